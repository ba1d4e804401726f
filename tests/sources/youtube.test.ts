import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { layOutTranscript, type Document } from '../../src/domain/records/texts/document.ts';
import type { Resource } from '../../src/domain/records/resource.ts';
import { ProcessingError } from '../../src/errors.ts';
import type { Need } from '../../src/sources/host/reading-protocol.ts';
import type { Readers } from '../../src/sources/host/readers.ts';
import { runYtDlp } from '../../src/sources/host/run-yt-dlp.ts';
import { documentOf, openReaders } from '../support/texts/reading.ts';
import {
  captchaPage,
  consentPage,
  type MadeTrack,
  type MadeYoutube,
  playerAnswer,
  refusal,
  trackUrl,
  videoId,
  watchPage,
  watchUrl,
  youtubeSupply,
} from '../support/servers/youtube.ts';

const readers = openReaders();
afterAll(() => readers.close());

async function save(
  made: MadeYoutube,
  address = `https://youtu.be/${videoId}?t=9`,
  from: { readers: Readers; ytDlpPath?: string } = { readers },
): Promise<{ document: Document; asked: string[] }> {
  const { asked, supply } = youtubeSupply(made);
  const { signal } = new AbortController();
  const context = {
    signal,
    accountId: 'local',
    async supply(need: Need): Promise<Resource> {
      if (need.kind === 'fetch' || from.ytDlpPath === undefined) return supply(need);
      const bytes = (await runYtDlp(from.ytDlpPath, need.address, signal)) ?? new Uint8Array();
      const { address: url } = need;
      return { url, finalUrl: url, bytes, declaredType: 'application/json', fetchedAt: '' };
    },
  };
  const original = await from.readers.open(new URL(address), '2026-01-01T00:00:00.000Z', context);
  if (original === null) throw new Error('this is not an address of a video');
  return { document: documentOf(await from.readers.read({ ...original, given: false }, context)), asked };
}

async function failure(made: MadeYoutube, address?: string): Promise<ProcessingError> {
  try {
    await save(made, address);
  } catch (error) {
    if (error instanceof ProcessingError) return error;
    throw error;
  }
  throw new Error('it did not fail');
}

const english = { language: 'en' };
const srv3 = `<?xml version="1.0"?><timedtext format="3"><body>
  <p t="500" d="2000">She leaves at dawn &amp;amp; flies</p>
  <p t="2500" d="38000"><s>two </s><s t="300">miles.</s></p>
  <p t="41000" d="3000">The wind turns &lt;west&gt;.</p>
  <p t="95250" d="3000">And home.</p></body></timedtext>`;
const paragraphsOf = ({ blocks }: Document) => blocks.map(({ text, locator }) => [text, locator]);

describe('a video', () => {
  it('becomes a document of its speech, in chapters, with its seconds', async () => {
    const { document, asked } = await save({ player: playerAnswer([english]), watch: watchPage(null), captions: srv3 });
    expect(document).toMatchObject({
      contentType: 'youtube',
      title: 'How bees find home',
      author: 'Roof Garden',
      siteName: 'YouTube',
      language: 'en',
      durationSeconds: 125,
      canonicalUrl: watchUrl,
      warnings: [],
    });
    const at = (seconds: number) => ({ kind: 'time', seconds });
    expect(paragraphsOf(document)).toEqual([
      ['## Leaving', at(0)],
      ['She leaves at dawn & flies two miles.', at(0.5)],
      ['## The long way', at(40)],
      ['The wind turns <west>.', at(41)],
      ['## Home', at(90)],
      ['And home.', at(95.25)],
      ['## Description', at(0)],
      ['We follow one forager bee across the whole city.', at(0)],
    ]);
    expect(asked).toEqual([
      `GET ${watchUrl}`,
      'POST https://www.youtube.com/youtubei/v1/player?prettyPrint=false',
      `GET ${trackUrl(english)}`,
    ]);
  });

  it('has the date and the chapters of its page', async () => {
    const chapters = `<script>x({"chapterRenderer":{"title":{"simpleText":"Caf\\u00e9 } \\"one\\""},"timeRangeStartMillis":0}})</script>`;
    const player = playerAnswer([english]);
    const { document } = await save({ player, watch: watchPage(player, chapters), captions: srv3 });
    expect(document.publishedAt).toBe('2024-05-06T14:00:00.000Z');
    expect(document.blocks[0]?.text).toBe('## Café } "one"');
  });

  it('has seconds in every format', async () => {
    const formats = [
      '<transcript><text start="61.5" dur="2">It is noon</text><text start="63.5">and warm.</text></transcript>',
      '<timedtext><body><p t="61500">It is noon</p><p d="9" t="63500">and warm.</p></body></timedtext>',
      JSON.stringify({
        events: [
          { tStartMs: 61_500, segs: [{ utf8: 'It is' }, { utf8: ' noon' }] },
          { tStartMs: 63_500, segs: [{ utf8: 'and warm.' }] },
        ],
      }),
      'WEBVTT\n\n01:01.500 --> 01:03.000\nIt is noon\n\n01:03.500 --> 01:04.000\nand warm.\n',
    ];
    for (const captions of formats) {
      const { document } = await save({
        player: playerAnswer([english], { videoDetails: { videoId, title: 'T' } }),
        watch: watchPage(null),
        captions,
      });
      expect(paragraphsOf(document)).toEqual([['It is noon and warm.', { kind: 'time', seconds: 61.5 }]]);
    }
  });

  it.each([
    ['people before machines', [{ language: 'en', automatic: true }, { language: 'en' }], 1],
    [
      'what is spoken before the first one',
      [{ language: 'ar' }, { language: 'de' }, { language: 'de', automatic: true }],
      1,
    ],
    ['a region of what is spoken', [{ language: 'fr' }, { language: 'en-GB' }, { language: 'en', automatic: true }], 1],
    ['what a machine heard before another language', [{ language: 'fr' }, { language: 'en', automatic: true }], 1],
    ['what is translated last', [{ language: 'en', more: '&tlang=en' }, { language: 'fr' }], 1],
    ['English where nothing tells', [{ language: 'ar' }, { language: 'en-US' }, { language: 'zh' }], 1],
  ])('is read from the best of its captions: %s', async (_, tracks: MadeTrack[], best) => {
    const { document } = await save({
      player: playerAnswer(tracks),
      watch: watchPage(null),
      tracks: Object.fromEntries(
        tracks.map((track, index) => [trackUrl(track), srv3.replace('dawn', `dawn ${index}`)]),
      ),
    });
    expect(document.blocks[1]?.text).toContain(`dawn ${best}`);
    expect(document.language).toBe(tracks[best]?.language);
    expect(document.warnings.map(({ code }) => code)).toEqual(
      tracks[best]?.automatic === true ? ['automatic_captions'] : [],
    );
  });

  it.each(['en-us-us', 'de-a', 'und', '-', ''])(
    'is read even if the language of its captions is called %j',
    async (language) => {
      const track = { language };
      const { document } = await save({
        player: playerAnswer([track]),
        watch: watchPage(null),
        tracks: { [trackUrl(track)]: srv3 },
      });
      expect(document.language).toBeNull();
      expect(document.blocks[1]?.text).toContain('dawn');
    },
  );

  it('is read from the next captions when the best are empty', async () => {
    const automatic = { language: 'en', automatic: true };
    const { document } = await save({
      player: playerAnswer([english, automatic]),
      watch: watchPage(null),
      tracks: { [trackUrl(automatic)]: srv3 },
    });
    expect(document.warnings).toMatchObject([{ code: 'automatic_captions' }]);
  });

  it('is read from its page when the player is refused', async () => {
    const braces = playerAnswer([english], {
      microformat: { playerMicroformatRenderer: { publishDate: '2024-05-07' } },
    });
    const { document } = await save({
      player: refusal('LOGIN_REQUIRED', 'Sign in to confirm you’re not a bot'),
      watch: watchPage({ ...braces, note: 'a } brace and a \\" quote {' }),
      captions: srv3,
    });
    expect(document).toMatchObject({ title: 'How bees find home', publishedAt: '2024-05-07T00:00:00.000Z' });
    expect(layOutTranscript(document.blocks).text).toContain('She leaves at dawn');
  });

  it('is read even if its page is not shown', async () => {
    const embed = { title: 'From the outside', author_name: 'Somebody' };
    const { document } = await save({ player: playerAnswer([english]), watch: 'rate_limited', embed, captions: srv3 });
    expect(document).toMatchObject({ title: 'From the outside', durationSeconds: 125 });
  });

  it('answers the consent form', async () => {
    const cookies: (string | undefined)[] = [];
    const { document } = await save({
      player: refusal('LOGIN_REQUIRED', 'not a bot'),
      watch: ({ headers }) => {
        cookies.push(headers?.['cookie']);
        return headers?.['cookie']?.includes('CONSENT=YES+cb.1-2') === true
          ? watchPage(playerAnswer([english]))
          : consentPage('cb.1-2');
      },
      captions: srv3,
    });
    expect(document.title).toBe('How bees find home');
    expect(cookies).toEqual(['SOCS=CAI', 'SOCS=CAI; CONSENT=YES+cb.1-2']);
  });

  it('is found in every form of its address, but a channel is not a video', async () => {
    const made = { player: playerAnswer([english]), watch: watchPage(null), captions: srv3 };
    const shorts = await save(made, `https://m.youtube.com/shorts/${videoId}?si=x`);
    expect(shorts.document.canonicalUrl).toBe(watchUrl);
    for (const [address, name] of [
      ['https://www.youtube.com/@somebody', 'a YouTube channel'],
      ['https://www.youtube.com/playlist?list=PL1', 'a YouTube playlist'],
      ['https://youtu.be/short', 'valid video id'],
    ] as const) {
      const refused = await failure(made, address);
      expect(refused).toMatchObject({ code: 'unsupported_type', message: expect.stringContaining(name) });
    }
    const context = { ...youtubeSupply({}), accountId: 'local', signal: new AbortController().signal };
    const lookalike = new URL(`https://youtube.com.evil.example/watch?v=${videoId}`);
    expect(await readers.open(lookalike, '', context)).toBeNull();
  });
});

describe('a video without a transcript', () => {
  const known = { contentType: 'youtube', title: 'How bees find home', author: 'Roof Garden', durationSeconds: 125 };
  const page = watchPage(playerAnswer([{ ...english, more: '&exp=xpe' }]));
  const details = { videoDetails: { videoId, title: known.title, author: known.author, lengthSeconds: '125' } };

  it.each<[string, string, MadeYoutube]>([
    [
      'age_restricted',
      'age',
      {
        player: {
          ...refusal('LOGIN_REQUIRED', 'This video may be inappropriate for some users.', {
            desktopLegacyAgeGateReason: 1,
          }),
          ...details,
        },
      },
    ],
    [
      'transcript_blocked',
      'a check for robots',
      { player: refusal('LOGIN_REQUIRED', 'Sign in to confirm you’re not a bot'), watch: page },
    ],
    [
      'transcript_blocked',
      'a refused request',
      { player: 'forbidden', embed: { title: known.title, author_name: known.author } },
    ],
    ['transcript_blocked', 'a form for consent without an answer', { watch: consentPage(null) }],
    ['no_captions', 'none', { player: playerAnswer(null), watch: watchPage(null) }],
    [
      'no_captions',
      'none, says the page',
      { player: refusal('LOGIN_REQUIRED', 'not a bot'), watch: watchPage(playerAnswer(null)) },
    ],
    [
      'token_required',
      'tracks that are marked',
      { player: playerAnswer([{ ...english, more: '&exp=xpe' }, { language: 'fr' }]), watch: page, captions: srv3 },
    ],
    ['token_required', 'tracks that are empty', { player: playerAnswer([english]), watch: page }],
    ['rate_limited', 'a captcha', { player: captchaPage, watch: captchaPage }],
    ['rate_limited', 'HTTP 429', { player: 'rate_limited', watch: 'rate_limited' }],
    [
      'video_private',
      'private',
      { player: refusal('LOGIN_REQUIRED', 'This is a private video. Please sign in.'), watch: watchPage(null) },
    ],
    ['video_unavailable', 'removed', { player: refusal('ERROR', 'This video is unavailable'), watch: watchPage(null) }],
    [
      'video_not_ready',
      'announced',
      { player: refusal('LIVE_STREAM_OFFLINE', 'This live event will begin in 3 hours.'), watch: watchPage(null) },
    ],
    [
      'video_not_ready',
      'live',
      {
        player: playerAnswer(null, { videoDetails: { ...details.videoDetails, isLive: true } }),
        watch: watchPage(null),
      },
    ],
    ['video_unplayable', 'anything else', { player: refusal('CUSTOM', 'Custom reason'), watch: watchPage(null) }],
    [
      'no_captions',
      'only music',
      {
        player: playerAnswer([english], details),
        watch: watchPage(null),
        captions: '<text start="1" dur="2">[Music]</text>',
      },
    ],
  ])('fails with %s (%s), advice, and its known facts', async (code, _, made) => {
    const failed = await failure(made);
    expect(failed.code).toBe(code);
    expect(failed.retryable).toBe(false);
    expect(failed.message).toMatch(/save it again with that text|save the (?:video|address) again|Save it again when/i);
    expect(failed.known).toMatchObject({ contentType: 'youtube' });
    const isTold = JSON.stringify(made).includes(known.title);
    expect(failed.known?.title).toBe(isTold ? known.title : undefined);
    expect(failed.message).not.toContain('Custom');
  });

  it('is retried when YouTube could not be reached', async () => {
    expect(await failure({ player: 'timeout', watch: watchPage(null) })).toMatchObject({
      code: 'timeout',
      retryable: true,
    });
    expect(await failure({ watch: 'timeout' })).toMatchObject({ code: 'timeout', retryable: true });
  });

  it('accepts no captions from elsewhere or from another video', async () => {
    const elsewhere = JSON.parse(
      JSON.stringify(playerAnswer([english])).replaceAll('www.youtube.com/api', 'evil.example/api'),
    ) as object;
    expect(await failure({ player: elsewhere, watch: watchPage(elsewhere) })).toMatchObject({ code: 'token_required' });
    const other = playerAnswer([english], { videoDetails: { videoId: 'other678901', title: 'Other' } });
    const failed = await failure({
      player: refusal('LOGIN_REQUIRED', 'not a bot'),
      watch: watchPage(other),
      captions: srv3,
    });
    expect(failed).toMatchObject({ code: 'transcript_blocked' });
    expect(failed.known?.title).toBeUndefined();
  });
});

describe.skipIf(process.platform === 'win32')('yt-dlp', () => {
  async function withProgram<T>(script: string, use: (path: string) => Promise<T>): Promise<T> {
    const folder = await mkdtemp(join(tmpdir(), 'commonplace-ytdlp-'));
    const path = join(folder, 'yt-dlp');
    await writeFile(path, `#!/bin/sh\n${script}\n`);
    await chmod(path, 0o755);
    try {
      return await use(path);
    } finally {
      await rm(folder, { recursive: true });
    }
  }
  const refused: MadeYoutube = {
    player: refusal('LOGIN_REQUIRED', 'not a bot'),
    watch: watchPage(null),
    captions: srv3,
  };
  const report = {
    id: videoId,
    title: 'Told by the program',
    channel: 'Channel',
    duration: 100,
    upload_date: '20240102',
    language: 'en',
    chapters: [{ start_time: 0, title: 'All' }],
    subtitles: { live_chat: [{ ext: 'json', url: 'https://www.youtube.com/live' }] },
    automatic_captions: {
      de: [{ ext: 'vtt', url: `${trackUrl(english)}&tlang=de` }],
      'en-orig': [{ ext: 'srv3', url: trackUrl(english) }],
    },
  };

  it('is used last, with only the address, and its captions come through the guarded fetch', async () => {
    const script = `case "$*" in *"--ignore-config"*"-- ${watchUrl}") ;; *) exit 1 ;; esac\n[ -z "$HOME" ] || exit 1\ncat <<'END'\n${JSON.stringify(report)}\nEND`;
    await withProgram(script, async (ytDlpPath) => {
      const own = openReaders({ hasYtDlp: true });
      const { document, asked } = await save(refused, undefined, { readers: own, ytDlpPath });
      expect(document).toMatchObject({
        title: 'How bees find home',
        author: 'Channel',
        publishedAt: '2024-05-06T14:00:00.000Z',
        language: 'en',
      });
      expect(document.warnings).toMatchObject([{ code: 'automatic_captions' }]);
      expect(asked.at(-1)).toBe(`GET ${trackUrl(english)}`);
      await own.close();
    });
  });

  it.each(['exit 1', 'echo not json', `echo '{"id":"another"}'`])(
    'changes nothing when it fails: %s',
    async (script) => {
      await withProgram(script, async (ytDlpPath) => {
        const own = openReaders({ hasYtDlp: true });
        await expect(save(refused, undefined, { readers: own, ytDlpPath })).rejects.toMatchObject({
          code: 'transcript_blocked',
        });
        await own.close();
      });
    },
  );
});
