# Prints a dump of 1,000 long lines.
echo '==='
head -c 3000000 /dev/zero | tr '\0' x | fold -w 3000
echo
echo '==='
cat >/dev/null
