import type { Config } from '../../settings/config.ts';
import { isLoopbackHost } from '../../domain/links/configured-addresses.ts';
import { invalidInput } from '../../errors.ts';

type SignInSettings = Pick<Config, 'signIn' | 'publicUrl' | 'httpHost' | 'trustedProxies' | 'trustedIdentityHeader'>;

/** @throws {AppError} `invalid_input` when these settings make signing in impossible or unsafe */
export function checkSignInSettings(config: SignInSettings): void {
  const { signIn, publicUrl, httpHost, trustedProxies, trustedIdentityHeader } = config;
  if (publicUrl === '') {
    if (!isLoopbackHost(httpHost)) {
      throw invalidInput(
        'signIn needs publicUrl, the https address under which people reach this server: passwords travel over encrypted connections alone.',
      );
    }
  } else {
    const { protocol, hostname, pathname } = new URL(publicUrl);
    if (protocol !== 'https:' && !isLoopbackHost(hostname)) {
      throw invalidInput('signIn needs a publicUrl with https: passwords travel over encrypted connections alone.');
    }
    if (pathname !== '/') {
      throw invalidInput('signIn needs a publicUrl without a path, such as https://library.example.org.');
    }
  }
  if (signIn !== 'proxy') return;
  if (trustedIdentityHeader === '' || trustedProxies.length === 0) {
    throw invalidInput(
      'signIn proxy needs trustedIdentityHeader, the header that names the person, and trustedProxies, the addresses whose word is believed.',
    );
  }
}

type AuthorizationSettings = Pick<Config, 'signIn' | 'publicUrl' | 'authorizationServer' | 'authorizationAudience'>;

/** @throws {AppError} `invalid_input` when tokens of this authorization server could not be checked safely */
export function checkAuthorizationSettings(config: AuthorizationSettings): void {
  const { protocol, hostname, search, hash } = new URL(config.authorizationServer);
  if ((protocol !== 'https:' && !isLoopbackHost(hostname)) || search !== '' || hash !== '') {
    throw invalidInput(
      'authorizationServer is an https address without a query: the keys that it signs with come from there.',
    );
  }
  if (config.publicUrl === '' && config.authorizationAudience === '') {
    throw invalidInput(
      'authorizationServer needs publicUrl or authorizationAudience: tokens that were made for other servers are refused.',
    );
  }
  if (config.signIn === 'password') {
    throw invalidInput(
      'authorizationServer goes with signIn off or proxy: people sign in there, so that passwords here would be a second way in.',
    );
  }
}
