read -r x; exit 0
