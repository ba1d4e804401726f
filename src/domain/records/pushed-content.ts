import { z } from 'zod';

/**
 * The media type of an original that a client provides with its address: JSON of `pushedContent`. It is trusted only
 * for given originals (`Original.given`): if a server declares it, the response is treated as ordinary JSON.
 */
export const pushedType = 'application/vnd.commonplace.pushed+json';

/** Maximum text, HTML or captions from a client, in UTF-16 units. A request is also limited to 10 MB. */
export const maxPushedCharacters = 10_000_000;

/** Times are seconds from the beginning. */
export const timedCaption = z.strictObject({
  start: z.number().min(0),
  duration: z.number().min(0).optional(),
  text: z.string(),
});

/** Text, HTML or captions from a client. */
export const pushedText = z.string().max(maxPushedCharacters);
/** As many captions as a recording of some days has. */
export const maxPushedCaptions = 200_000;
/** Captions that the client has already parsed. */
export const pushedCaptions = z.array(timedCaption).max(maxPushedCaptions);

/** Content from a client: one of text, HTML and captions. */
export const pushedContent = z.object({
  title: z.string().nullable(),
  text: z.string().optional(),
  html: z.string().optional(),
  captions: z.array(timedCaption).optional(),
});
export type PushedContent = z.infer<typeof pushedContent>;
