import { expect, it } from 'vitest';
import { databaseName, databaseRole, holdsPassword } from '../../../src/domain/links/configured-addresses.ts';

it('the name of a database shows no role, password or options', () => {
  const names = [
    'postgres://app:secret@db.example.org:6432/library?sslmode=verify-full',
    'postgresql://app@db.example.org/library?password=secret',
    'postgres://app:secret@%2Ftmp%2Fpg/library',
    'postgres:///library?host=/tmp/pg&user=app&password=secret',
  ].map(databaseName);
  expect(names).toEqual([
    'db.example.org:6432/library',
    'db.example.org/library',
    '/tmp/pg/library',
    '/tmp/pg/library',
  ]);
});

it('the role is decoded, and a password is found wherever it is', () => {
  expect(databaseRole('postgres://an%20app@h/d')).toBe('an app');
  expect(databaseRole('postgres://h/d')).toBeNull();
  expect(['postgres://a:b@h/d', 'postgres://a@h/d?password=b', 'postgres://a@h/d'].map(holdsPassword)).toEqual([
    true,
    true,
    false,
  ]);
});
