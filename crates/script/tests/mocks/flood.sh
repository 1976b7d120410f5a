yes "nothing of interest"
