import type { KnownMetadata } from '../../domain/records/texts/document.ts';
import { ProcessingError, type FailureCode } from '../../errors.ts';
import { tracksOf, type PlayerAnswer } from './player.ts';
import type { PageReplacement } from './watch-page.ts';

export type VideoProblem = Extract<
  FailureCode,
  | 'transcript_blocked'
  | 'age_restricted'
  | 'no_captions'
  | 'token_required'
  | 'rate_limited'
  | 'video_private'
  | 'video_unavailable'
  | 'video_not_ready'
  | 'video_unplayable'
>;

const wayOut =
  'Open it in your browser, copy its transcript ("Show transcript" under the video), and save it again with that text; its title and channel are kept.';
const wayOutInSentence = wayOut.charAt(0).toLowerCase() + wayOut.slice(1);

const messages: Readonly<Record<VideoProblem, string>> = {
  transcript_blocked: `YouTube does not give this video's transcript to this machine: it asks for a login to see that no robot is reading, as it does with servers. ${wayOut}`,
  age_restricted: `YouTube shows this video only to people who have logged in and are old enough, so its transcript could not be read. ${wayOut}`,
  no_captions:
    'This video has no captions, neither written nor automatic, so there is no text to keep. If you have a transcript of it, save the video again with that text.',
  token_required: `YouTube gives this video's captions only to its own players, which prove themselves with a token. ${wayOut}`,
  rate_limited: `YouTube asks this machine to come back later: too many requests came from its address. Retry it in some hours, or do without: ${wayOutInSentence}`,
  video_private: `This video is private, so its transcript could not be read. If you may see it: ${wayOutInSentence}`,
  video_unavailable:
    'YouTube says that there is no such video (any more). Check the address; if you have a transcript of it, save the address again with that text.',
  video_not_ready:
    'This video is live right now or has not begun, so it has no transcript yet. Save it again when it is over and YouTube has made its captions.',
  video_unplayable: `YouTube does not play this video here: it is for members, for buyers or for other countries. If you may see it: ${wayOutInSentence}`,
};

export function videoFailure(problem: VideoProblem, known: KnownMetadata): ProcessingError {
  return new ProcessingError(problem, messages[problem], { known });
}

/** Why a player response has no captions; null if it has some. `reason` is in English, as pages are requested. */
export function problemOf(player: PlayerAnswer): VideoProblem | null {
  const { status, reason, messages: more, desktopLegacyAgeGateReason: ageGate } = player.playabilityStatus ?? {};
  const said = [reason, ...(more ?? [])].join(' ');
  const isLive = player.videoDetails?.isLive === true || player.videoDetails?.isUpcoming === true;
  switch (status) {
    case 'OK':
    case 'LIVE_STREAM': {
      if (tracksOf(player).length > 0) return null;
      return isLive ? 'video_not_ready' : 'no_captions';
    }
    case 'LIVE_STREAM_OFFLINE':
      return 'video_not_ready';
    case 'AGE_VERIFICATION_REQUIRED':
    case 'AGE_CHECK_REQUIRED':
    case 'CONTENT_CHECK_REQUIRED':
      return 'age_restricted';
    case 'LOGIN_REQUIRED': {
      if (/private/i.test(said)) return 'video_private';
      if ((ageGate !== undefined && ageGate !== null) || /\bage\b|inappropriate/i.test(said)) return 'age_restricted';
      return 'transcript_blocked';
    }
    case 'ERROR':
      return /private/i.test(said) ? 'video_private' : 'video_unavailable';
    default: {
      if (/private/i.test(said)) return 'video_private';
      if (/\bbot\b/i.test(said)) return 'transcript_blocked';
      if (/removed|terminated|no longer available|unavailable/i.test(said)) return 'video_unavailable';
      return /premiere|will begin|scheduled|offline/i.test(said) ? 'video_not_ready' : 'video_unplayable';
    }
  }
}

export function problemOfReplacement(replacement: PageReplacement): VideoProblem {
  return replacement === 'captcha' ? 'rate_limited' : 'transcript_blocked';
}

/** The meaning of a refused request for the video; null if it is no answer from YouTube, and is retried. */
export function problemOfFetch({ code }: ProcessingError): VideoProblem | null {
  if (code === 'rate_limited') return 'rate_limited';
  const refused = new Set<FailureCode>(['forbidden', 'http_error', 'not_found', 'too_many_redirects', 'too_large']);
  return refused.has(code) ? 'transcript_blocked' : null;
}

/** Whether the problem is definite and with the video itself. Such problems outweigh a refusal of this machine. */
export function isOfVideo(problem: VideoProblem): boolean {
  return problem !== 'transcript_blocked' && problem !== 'rate_limited' && problem !== 'token_required';
}
