/* `mute` never gets ready, `dies` ends instead. */
const [, , atStart] = process.argv;
if (atStart === 'dies') process.exit(8);

let answered = 0;

process.on('disconnect', () => process.exit(0));
process.on('message', ({ id, text }: { id: number; text: string }) => {
  if (text === 'exit') process.exit(7);
  if (text === 'throw') throw new Error('broken');
  if (text === 'hang') return;
  answered += 1;
  process.send?.({ kind: 'vector', id, vector: Float32Array.of(text.length, answered) });
});
if (atStart !== 'mute') process.send?.({ kind: 'ready' });
