read -r x; exit 2
