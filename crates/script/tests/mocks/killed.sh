printf 'b> '; read -r x; kill -9 $$
