#!/bin/sh
# Makes the certificates of the tests in `encryption.rs`: of two authorities and of a server called `localhost`.
set -e
for name in authority other; do
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 36500 -subj "/CN=$name" \
        -addext basicConstraints=critical,CA:TRUE -keyout "$name.key" -out "$name.pem"
done
openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=localhost -keyout server.key -out server.csr
printf 'subjectAltName=DNS:localhost\nbasicConstraints=CA:FALSE\n' > server.ext
openssl x509 -req -in server.csr -CA authority.pem -CAkey authority.key -set_serial 1 -days 36500 -extfile server.ext -out server.pem
rm server.csr server.ext authority.key other.key
