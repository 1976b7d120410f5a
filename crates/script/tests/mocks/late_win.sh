# Takes longer for its win line than the test allows for a move.
read -r x
sleep 3
echo '* White wins.'
cat >/dev/null
