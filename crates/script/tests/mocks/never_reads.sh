sleep 2; exec sleep 60 <&-
