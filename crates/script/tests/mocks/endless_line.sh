head -c 100000000 /dev/zero | tr '\0' x; sleep 60
