import { postgresPrograms } from './programs.ts';

/* Installs PostgreSQL for the tests, so that it is there when they begin. */
if (process.platform !== 'win32') await postgresPrograms();
