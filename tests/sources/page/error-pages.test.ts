import { describe, expect, it } from 'vitest';
import { layOutTranscript } from '../../../src/domain/records/texts/document.ts';
import { extractPage } from '../../../src/sources/page/extract-page.ts';
import { rows } from '../../support/texts/rows.ts';

const address = 'https://site.example/a/some-page';

function page(title: string, body: string): string {
  return `<html><head><title>${title}</title></head><body>${body}</body></html>`;
}

/** By the error that refuses them, one page a line: a name, the title and the body. */
const shells = {
  soft_404: `
de404 :: Seite nicht gefunden – Beispiel :: <h1>Seite nicht gefunden</h1><p>Die von Ihnen gesuchte Seite existiert leider nicht mehr. Zur Startseite</p>
fr404 :: Page introuvable | Exemple :: <h1>Erreur 404</h1><p>La page que vous cherchez n’existe pas ou plus. Retour à l’accueil</p>
es404 :: Página no encontrada :: <h1>¡Vaya! No encontramos la página</h1><p>La página que buscas no existe.</p>
it404 :: Errore 404 :: <h1>Pagina non trovata</h1><p>La pagina che stai cercando non esiste.</p>
pt404 :: Página não encontrada :: <h1>Página não encontrada</h1><p>A página que você procura não existe.</p>
nl404 :: Pagina niet gevonden :: <h1>Pagina niet gevonden</h1><p>De pagina die u zoekt bestaat niet.</p>
pl404 :: Nie znaleziono strony :: <h1>Nie znaleziono strony</h1><p>Strona, której szukasz, nie istnieje.</p>
ru404 :: Страница не найдена :: <h1>Страница не найдена</h1><p>К сожалению, такой страницы нет.</p>
ja404 :: ページが見つかりません :: <h1>お探しのページは見つかりませんでした</h1><p>URLをご確認ください。トップページへ戻る</p>
zh404 :: 页面不存在 :: <h1>抱歉，您访问的页面不存在</h1><p>请检查网址，或返回首页。</p>
ko404 :: 페이지를 찾을 수 없습니다 :: <h1>페이지를 찾을 수 없습니다</h1><p>주소를 확인해 주세요.</p>
sv404 :: Sidan kunde inte hittas :: <h1>Sidan kunde inte hittas</h1><p>Sidan du söker finns inte.</p>
en410 :: Gone :: <h1>410 Gone</h1><p>This page has been removed.</p>
expired :: Example Jobs :: <h1>This job is no longer available</h1><p>The listing that you are looking for has expired.</p>
maintenance :: Site :: <h1>Under maintenance</h1><p>We will be back soon.</p>
parked :: example.com :: <p>This domain is for sale. Buy this domain now.</p>`,
  consent_wall: `
deconsent :: Bevor Sie zu Suche weitergehen :: <h1>Bevor Sie fortfahren</h1><p>Wir verwenden Cookies und Daten, um Dienste anzubieten. Alle akzeptieren. Alle ablehnen.</p>
spiegel :: Nachrichten :: <h1>Weiterlesen mit Werbung</h1><p>Besuchen Sie uns wie gewohnt mit Werbung und Tracking. Details zu Werbe- und Analyse-Trackern in der Datenschutzerklärung. Zustimmen und weiter</p>
frconsent :: Le Journal :: <p>Avec votre accord, nos partenaires et nous utilisons des cookies pour stocker des informations. Accepter et fermer. Paramétrer. Continuer sans accepter</p>
yahoo :: Yahoo ist Teil der Yahoo-Markenfamilie :: <p>Wenn Sie auf „Alle akzeptieren“ klicken, verwenden wir und unsere Partner Cookies. Alle akzeptieren Alle ablehnen Datenschutzeinstellungen verwalten</p>
esconsent :: Antes de continuar :: <p>Usamos cookies y datos para ofrecer servicios. Aceptar todo. Rechazar todo.</p>`,
  captcha: `
cf :: Just a moment... :: <h1>example.com</h1><p>Verify you are human by completing the action below.</p>
cfde :: Nur einen Moment… :: <h1>example.com</h1><p>Bestätigen Sie, dass Sie ein Mensch sind, indem Sie die folgende Aktion ausführen.</p>
cffr :: Un instant… :: <h1>exemple.fr</h1><p>Vérifiez que vous êtes un humain en effectuant l’action ci-dessous.</p>
cfes :: Un momento… :: <p>Verifique que es un ser humano completando la acción a continuación.</p>
amazon :: Shop :: <p>Enter the characters you see below. Sorry, we just need to make sure you’re not a robot. Type the characters you see in this image:</p>
perimeter :: Access to this page has been denied :: <p>Press & Hold to confirm you are a human (and not a bot).</p>
anubis :: Making sure you're not a bot! :: <h1>Making sure you&#39;re not a bot!</h1><p>Loading... Please wait a moment while we ensure the security of your connection.</p>
denied :: Access Denied :: <h1>Access Denied</h1><p>You don't have permission to access this page on this server. Reference #18.4</p>
403 :: 403 Forbidden :: <h1>403 Forbidden</h1><p>nginx</p>`,
  login_required: `
delogin :: Anmelden – Forum :: <form><h1>Anmelden</h1><label>Benutzername</label><input><label>Passwort</label><input type=password><button>Anmelden</button></form>
frlogin :: Connexion :: <h1>Connexion</h1><p>Veuillez vous connecter pour accéder à cette page.</p><input type=password>
fblogin :: Board :: <p>You must log in to continue.</p><input type=password><p>Log in to Board</p>
linkedin :: Sign Up | Network :: <h1>Join Network</h1><p>Email Password Already on Network? Sign in</p><input type=password>
eslogin :: Iniciar sesión :: <p>Debes iniciar sesión para ver esta página.</p><input type=password>
jalogin :: ログイン :: <h1>ログイン</h1><p>メールアドレス パスワード</p><input type=password>`,
  paywall: `
depay :: Ein Bericht :: <h1>Ein Bericht</h1><p>Dieser Artikel ist nur für Abonnenten. Jetzt abonnieren und weiterlesen.</p>
frpay :: Un article :: <h1>Un article</h1><p>Cet article est réservé aux abonnés. Abonnez-vous pour lire la suite.</p>
espay :: Un artículo :: <p>Contenido exclusivo para suscriptores. Suscríbete para seguir leyendo.</p>`,
  empty: `
jspage :: App :: <div id=root></div><noscript>You need to enable JavaScript to run this app.</noscript>
jsde :: App :: <noscript>Bitte aktivieren Sie JavaScript, um diese Seite zu nutzen.</noscript>
jsfr :: App :: <noscript>Veuillez activer JavaScript pour continuer à utiliser cette application.</noscript>
loading :: App :: <div id=root>Loading...</div>`,
};

describe('A page shown by a site in place of the requested one', () => {
  const pages = Object.entries(shells).flatMap(([code, lines]) => rows(lines).map((cells) => [code, ...cells]));

  it.each(pages)('is refused for its reason: %s, %s', async (code, _name, title = '', body = '') => {
    await expect(extractPage(page(title, body), address)).rejects.toMatchObject({
      name: 'ProcessingError',
      code,
      retryable: false,
    });
  });

  it.each([
    [
      'Seite nicht gefunden: eine Geschichte',
      'Die Fähre verlässt den alten Hafen um sieben und kommt mit der Flut zurück. ',
    ],
    [
      'Warum Cookies? Alle akzeptieren oder alle ablehnen',
      'Die Cookies der Bäckerei liegen auf dem Blech, und wir backen sie für alle. ',
    ],
    ['Un instant de calme', 'Le bac quitte le vieux port à sept heures et revient avec la marée du soir. '],
    ['Iniciar sesión, una historia', 'El transbordador sale del puerto viejo a las siete y vuelve con la marea. '],
    ['お探しのページは見つかりませんでした', '渡し船は朝七時に古い港を出て、夕方の潮とともに戻ってくる。'],
  ])('is not a longer text on that subject: %s', async (title, sentence) => {
    const { blocks } = await extractPage(
      page(title, `<article><h1>Der Hafen</h1><p>${sentence.repeat(12)}</p><p>${sentence.repeat(12)}</p></article>`),
      address,
    );
    expect(layOutTranscript(blocks).text).toContain(sentence.trim());
  });
});
