import { expect, it } from 'vitest';
import { createGuessLimits } from '../../src/services/sign-in/passwords.ts';
import { ManualClock } from '../support/clock.ts';

it('guesses for one name from ever more addresses are limited, and its person still gets in', () => {
  const clock = new ManualClock();
  const limits = createGuessLimits(clock);
  limits.count('home', 'ann');
  limits.forgive('home', 'ann');
  for (let guess = 0; guess < 50; guess += 1) limits.count(`address ${guess}`, 'ann');
  expect(() => limits.count('another address', 'ann')).toThrow('Try again in 15 minutes');
  expect(() => limits.count('another address', 'bob')).not.toThrow();
  expect(() => limits.count('home', 'ann')).not.toThrow();
  clock.advance(15 * 60_000);
  expect(() => limits.count('another address', 'ann')).not.toThrow();
});

it('guesses from one address for ever more names are limited', () => {
  const limits = createGuessLimits(new ManualClock());
  for (let guess = 0; guess < 20; guess += 1) limits.count('one', `name ${guess}`);
  expect(() => limits.count('one', 'ann')).toThrow('Too many wrong names or passwords');
  expect(() => limits.count('two', 'ann')).not.toThrow();
});
