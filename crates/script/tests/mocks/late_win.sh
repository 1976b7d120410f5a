# Prints its win line later than the test's time limit for a move.
read -r x
sleep 3
echo '* White wins.'
cat >/dev/null
