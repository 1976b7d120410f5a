# Prints this number of moves, 10 ms apart, then a result.
for i in $(seq "$1"); do
  sleep 0.01
  echo '* a2-c2'
done
echo '* White wins.'
cat >/dev/null
