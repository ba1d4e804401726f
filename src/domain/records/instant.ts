import { z } from 'zod';

/** A time in an answer, as `isoTime` writes it. */
export const instant = z.string().meta({ format: 'date-time' });
