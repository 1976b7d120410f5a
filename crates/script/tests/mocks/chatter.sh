yes "* a1-b1"
