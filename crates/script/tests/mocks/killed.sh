read -r x; kill -9 $$
