import { createServer, type Socket } from 'node:net';

export interface ImapMailbox {
  validity: number;
  letters: { uid: number; text: string }[];
  /** Answers a command in place of the server; null: the server answers. */
  misbehave?: ((command: string, socket: Socket, tag: string) => boolean) | undefined;
}

export interface ImapServer {
  /** For the setting `mailbox`. */
  address: string;
  mailbox: ImapMailbox;
  /** Without the tags. */
  commands: string[];
  close(): Promise<void>;
}

/** A mail server with one folder, `News`, of the user `ann` with the password `se"cret`. */
export async function serveImap(): Promise<ImapServer> {
  const mailbox: ImapMailbox = { validity: 1, letters: [] };
  const commands: string[] = [];
  const sockets = new Set<Socket>();
  const answer = (socket: Socket, line: string): void => {
    const [tag = '', ...rest] = line.split(' ');
    const command = rest.join(' ');
    commands.push(command);
    if (mailbox.misbehave?.(command, socket, tag) === true) return;
    const end = (status: string) => socket.write(`${tag} ${status} done\r\n`);
    if (command === String.raw`LOGIN "ann" "se\"cret"`) return void end('OK');
    if (command.startsWith('LOGIN')) return void end('NO');
    if (command === 'CAPABILITY') {
      socket.write('* CAPABILITY IMAP4rev1 MOVE\r\n');
      return void end('OK');
    }
    if (/^L(?:IST|SUB) /.test(command)) {
      socket.write(`* ${command.slice(0, 4)} () "/" ${command.endsWith('""') ? '""' : 'News'}\r\n`);
      return void end('OK');
    }
    const change = /^UID (?:MOVE|STORE) [\d,]+ (.+)$/.exec(command)?.[1];
    if (change !== undefined) return void end(change === 'Nowhere' ? 'NO' : 'OK');
    if (command === 'EXAMINE News' || command === 'SELECT News') {
      socket.write(`* ${mailbox.letters.length} EXISTS\r\n* OK [UIDVALIDITY ${mailbox.validity}] valid\r\n`);
      return void end('OK');
    }
    const listed = /^(UID )?FETCH (\d+):\* \(UID RFC822\.SIZE\)$/.exec(command);
    if (listed !== null) {
      const from = Number(listed[2]);
      const found = mailbox.letters.map((letter, at) => ({ ...letter, at }));
      const some = listed[1] === undefined ? found.slice(from - 1) : found.filter(({ uid }) => uid >= from);
      // As servers do: `*` is the last letter, whatever its number is.
      const shown = some.length === 0 ? found.slice(-1) : some;
      socket.write(
        shown.map(({ at, uid, text }) => `* ${at + 1} FETCH (UID ${uid} RFC822.SIZE ${text.length})\r\n`).join(''),
      );
      return void end('OK');
    }
    const wanted = /^UID FETCH (\d+) \(BODY\.PEEK\[\] UID\)$/.exec(command)?.[1];
    const letter = mailbox.letters.find(({ uid }) => uid === Number(wanted));
    if (letter !== undefined)
      socket.write(`* 1 FETCH (UID ${letter.uid} BODY[] {${letter.text.length}}\r\n${letter.text})\r\n`);
    end(command === 'LOGOUT' || letter !== undefined ? 'OK' : 'BAD');
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.write('* OK ready\r\n');
    let held = '';
    socket.on('data', (data) => {
      held += data.toString();
      for (let at = held.indexOf('\r\n'); at !== -1; at = held.indexOf('\r\n')) {
        const line = held.slice(0, at);
        held = held.slice(at + 2);
        answer(socket, line);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    address: `imap://ann@127.0.0.1:${port}/News`,
    mailbox,
    commands,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
