import { z } from 'zod';

/**
 * The type of an original that a client handed over instead of an address alone: JSON of `pushedContent`. It is believed of what was
 * handed over (`Original.given`) alone: a server that claims it sends JSON like any other.
 */
export const pushedType = 'application/vnd.commonplace.pushed+json';

/** Longest text, HTML or captions that a client can hand over, in UTF-16 units; a request is held to 10 MB besides. */
export const maxPushedCharacters = 10_000_000;

/** Times are seconds from the beginning. */
export const timedCaption = z.strictObject({
  start: z.number().min(0),
  duration: z.number().min(0).optional(),
  text: z.string(),
});

/** Text, HTML or captions as a client hands them over. */
export const pushedText = z.string().max(maxPushedCharacters);
/** As many as a recording of some days has. */
export const maxPushedCaptions = 200_000;
/** Captions that are read already. */
export const pushedCaptions = z.array(timedCaption).max(maxPushedCaptions);

/** What a client handed over: one of the three. */
export const pushedContent = z.object({
  title: z.string().nullable(),
  text: z.string().optional(),
  html: z.string().optional(),
  captions: z.array(timedCaption).optional(),
});
export type PushedContent = z.infer<typeof pushedContent>;
