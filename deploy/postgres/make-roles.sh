#!/bin/sh
# Run once by the image of PostgreSQL, as its administrator, when the database is made.
# `owner` owns the tables and migrates; `app` is what servers connect as: it reads and writes rows, and owns nothing.
set -eu
psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" \
  --set owner="$(cat /run/secrets/owner-password)" --set node="$(cat /run/secrets/node-password)" <<'SQL'
CREATE ROLE owner LOGIN NOSUPERUSER NOBYPASSRLS PASSWORD :'owner';
CREATE ROLE app LOGIN NOSUPERUSER NOBYPASSRLS PASSWORD :'node';
ALTER DATABASE commonplace OWNER TO owner;
REVOKE ALL ON DATABASE commonplace FROM PUBLIC;
GRANT CONNECT ON DATABASE commonplace TO app;
SQL
