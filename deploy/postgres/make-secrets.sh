#!/bin/sh
# Makes the passwords of compose.yaml, once, in the folder `secrets` beside it. The folder lets nobody else in; the files can
# be read by the users that the containers run as.
set -eu
cd "$(dirname "$0")"
[ ! -e secrets ] || { echo "The folder secrets is there already." >&2; exit 1; }
umask 022
mkdir -m 700 secrets
for name in admin owner node; do
  od -An -N24 -tx1 /dev/urandom | tr -d ' \n' > "secrets/$name-password"
done
printf 'postgres://owner:%s@database:5432/commonplace' "$(cat secrets/owner-password)" > secrets/database-owner-url
printf 'postgres://app:%s@pooler:6432/commonplace' "$(cat secrets/node-password)" > secrets/database-url
printf '"app" "%s"\n' "$(cat secrets/node-password)" > secrets/pooler-users
