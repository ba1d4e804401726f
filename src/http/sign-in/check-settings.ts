import type { Config } from '../../config.ts';
import { isLoopbackHost } from '../../domain/links/loopback.ts';
import { AppError } from '../../errors.ts';

type SignInSettings = Pick<Config, 'signIn' | 'publicUrl' | 'httpHost' | 'trustedProxies' | 'trustedIdentityHeader'>;

/** @throws {AppError} `invalid_input` when nobody could sign in with these settings, or not safely */
export function checkSignInSettings(config: SignInSettings): void {
  const { signIn, publicUrl, httpHost, trustedProxies, trustedIdentityHeader } = config;
  if (publicUrl === '') {
    if (!isLoopbackHost(httpHost)) {
      throw new AppError(
        'invalid_input',
        'signIn needs publicUrl, the https address under which people reach this server: passwords travel over encrypted connections alone.',
      );
    }
  } else {
    const { protocol, hostname, pathname } = new URL(publicUrl);
    if (protocol !== 'https:' && !isLoopbackHost(hostname)) {
      throw new AppError(
        'invalid_input',
        'signIn needs a publicUrl with https: passwords travel over encrypted connections alone.',
      );
    }
    if (pathname !== '/') {
      throw new AppError(
        'invalid_input',
        'signIn needs a publicUrl without a path, such as https://library.example.org.',
      );
    }
  }
  if (signIn !== 'proxy') return;
  if (trustedIdentityHeader === '' || trustedProxies.length === 0) {
    throw new AppError(
      'invalid_input',
      'signIn proxy needs trustedIdentityHeader, the header that names the person, and trustedProxies, the addresses whose word is believed.',
    );
  }
}
