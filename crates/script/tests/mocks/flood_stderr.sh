yes "nothing of interest" >&2
