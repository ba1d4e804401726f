import { postgresPrograms } from './programs.ts';

/* Installs PostgreSQL for the tests, so that it is there when they begin. */
await postgresPrograms();
