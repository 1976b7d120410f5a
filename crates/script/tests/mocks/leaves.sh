printf 'b> '; read -r x; exit 0
