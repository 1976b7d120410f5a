# Wins with its first move and exits, although the script may continue.
read -r x
echo '* a1-b1'
echo '* Black wins.'
