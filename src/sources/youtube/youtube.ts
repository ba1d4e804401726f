import type { Caption } from '../../domain/captions/timed-lines.ts';
import { parseCaptions } from '../../domain/captions/caption-formats.ts';
import type { Document, KnownMetadata } from '../../domain/records/texts/document.ts';
import type { Resource } from '../../domain/records/resource.ts';
import type { DecodedResource } from '../decoding/sniff.ts';
import { youtubePageName, youtubeVideoId } from '../../domain/links/youtube-url.ts';
import { ProcessingError } from '../../errors.ts';
import { readCaptionXml } from '../captions/read-captions.ts';
import type { OpeningContext, Source, SourceContext } from '../source.ts';
import { videoDocument, watchAddress } from './video-document.ts';
import {
  isOfVideo,
  problemOf,
  problemOfFetch,
  problemOfReplacement,
  videoFailure,
  type VideoProblem,
} from './video-failures.ts';
import { askLibrary, type LibraryAnswer } from './transcript-library.ts';
import {
  consentValue,
  noteOfRefusal,
  type PageReplacement,
  pageReplacement,
  readEmbed,
  readWatchPage,
  type WatchPage,
} from './watch-page.ts';
import {
  factsOf,
  mergeFacts,
  noFacts,
  spokenLanguage,
  tracksOf,
  type VideoFacts,
  isYoutubeTrack,
  needsToken,
  rankTracks,
  type CaptionTrack,
} from './player.ts';
import { readYtDlpReport } from './yt-dlp.ts';

export const youtubeSource: Source = {
  name: 'youtube',
  matches: (url) => youtubeVideoId(url) !== null,
  open(url, context) {
    const name = youtubePageName(url);
    if (name !== null) return Promise.reject(notAVideo(name));
    const videoId = youtubeVideoId(url);
    return videoId === null ? null : openWatchPage(videoId, context);
  },
  read: readVideo,
};

function notAVideo(name: string): ProcessingError {
  return new ProcessingError(
    'unsupported_type',
    `This is ${name}, not a single video. Open a video in your browser and save the address that you see then.`,
  );
}

/** Refuses cookies as far as YouTube allows. The consent form before the page asks for nothing else. */
const consentCookie = 'SOCS=CAI';

/** The watch page, or the video's oEmbed data, or a note that the page was refused. */
async function openWatchPage(videoId: string, context: OpeningContext): Promise<Resource> {
  const address = watchAddress(videoId);
  const get = (cookie: string) => context.fetch(address, { headers: { cookie, 'accept-language': 'en' } });
  try {
    const page = await get(consentCookie);
    const consent = pageReplacement(page.text ?? '') === 'consent' ? consentValue(page.text ?? '') : null;
    return consent === null ? page : await get(`${consentCookie}; CONSENT=YES+${consent}`);
  } catch (error) {
    const problem = error instanceof ProcessingError ? problemOfFetch(error) : null;
    if (problem === null) throw error;
    const replacement = problem === 'rate_limited' ? 'captcha' : 'refused';
    return (await fetchEmbed(videoId, context)) ?? noPage(address, replacement, context.now());
  }
}

function noPage(address: string, replacement: PageReplacement, fetchedAt: string): Resource {
  const bytes = Buffer.from(noteOfRefusal(replacement));
  return { url: address, finalUrl: address, bytes, declaredType: 'text/plain', fetchedAt };
}

async function fetchEmbed(videoId: string, context: Pick<SourceContext, 'fetch'>): Promise<DecodedResource | null> {
  const url = `https://www.youtube.com/oembed?format=json&url=${encodeURIComponent(watchAddress(videoId))}`;
  try {
    return await context.fetch(url);
  } catch (error) {
    if (error instanceof ProcessingError) return null;
    throw error;
  }
}

/** Tries youtube-transcript, the page's own player, then yt-dlp. If all fail, throws the most informative reason. */
async function readVideo(resource: DecodedResource, context: SourceContext): Promise<Document> {
  const videoId = youtubeVideoId(new URL(resource.finalUrl));
  if (videoId === null) throw new Error('this is not the address of a video');
  const page = readWatchPage(resource.text ?? '', videoId);
  const asked = await askLibrary(videoId, page.player, context);
  let facts = mergeFacts(page.facts, factsOf(asked.player));
  if (asked.captions.length > 0) {
    const document = videoDocument(videoId, asked.captions, asked.track, facts);
    if (document !== null) return document;
  }

  const pageTracks = page.player === null ? [] : tracksOf(page.player);
  const own = await readTracks(pageTracks, page.player === null ? null : spokenLanguage(page.player), context);
  const document = own === null ? null : videoDocument(videoId, own.captions, own.track, facts);
  if (document !== null) return document;

  const printed = await context.askYtDlp(watchAddress(videoId));
  const report = printed === null ? null : readYtDlpReport(printed.text ?? '', videoId);
  if (report !== null) {
    facts = mergeFacts(facts, report.facts);
    const found = await readTracks(report.tracks, report.spoken, context);
    const document = found === null ? null : videoDocument(videoId, found.captions, found.track, facts);
    if (document !== null) return document;
  }
  const problem = chooseProblem(asked, page);
  if (facts.title === null) facts = mergeFacts(facts, await embedFacts(videoId, context));
  throw videoFailure(problem, knownOf(facts));
}

/** Maximum number of tracks to try: the best one may be empty while the next is not. */
const maxTracks = 2;

async function readTracks(
  tracks: readonly CaptionTrack[],
  spoken: string | null,
  context: SourceContext,
): Promise<{ captions: Caption[]; track: CaptionTrack } | null> {
  const usable = rankTracks(tracks, spoken).filter((track) => isYoutubeTrack(track) && !needsToken(track));
  for (const track of usable.slice(0, maxTracks)) {
    try {
      const { text } = await context.fetch(track.url);
      const captions = parseCaptions(text ?? '', readCaptionXml);
      if (captions.length > 0) return { captions, track };
    } catch (error) {
      // Ignore the refusal: an earlier step has already recorded why YouTube refuses.
      if (!(error instanceof ProcessingError)) throw error;
    }
  }
  return null;
}

/** A player's answer about the video outweighs a refused request, and the first player outweighs the page. */
function chooseProblem(asked: LibraryAnswer, page: WatchPage): VideoProblem {
  const said = [asked.player, page.player].flatMap((player) =>
    player === null ? [] : [problemOf(player) ?? 'token_required'],
  );
  if (asked.captions.length > 0) return 'no_captions';
  const refusal = asked.refusal === null ? null : problemOfFetch(asked.refusal);
  // A missing answer says nothing about the video. Rethrow the error, so that the request is retried.
  if (said.length === 0 && asked.refusal !== null && refusal === null && page.replacement === null) throw asked.refusal;
  const replacements = [asked.replacement, page.replacement].flatMap((replacement) =>
    replacement === null ? [] : [problemOfReplacement(replacement)],
  );
  const all = [...said.filter(isOfVideo), ...said, ...(refusal === null ? [] : [refusal]), ...replacements];
  return all[0] ?? 'transcript_blocked';
}

async function embedFacts(videoId: string, context: SourceContext): Promise<VideoFacts> {
  const embed = await fetchEmbed(videoId, context);
  return readEmbed(embed?.text ?? '') ?? noFacts;
}

function knownOf({ title, author, durationSeconds, publishedAt }: VideoFacts): KnownMetadata {
  return {
    contentType: 'youtube',
    siteName: 'YouTube',
    ...(title !== null && { title }),
    ...(author !== null && { author }),
    ...(durationSeconds !== null && { durationSeconds }),
    ...(publishedAt !== null && { publishedAt }),
  };
}
