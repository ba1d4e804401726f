import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { decodeText } from './src/sources/decoding/charset.ts';
import { encodeText } from './bench/encode-text.ts';
import { sniffResource } from './src/sources/decoding/sniff.ts';
const root='../shared/corpora/';
const enc: Record<string,string[]> = { en:['windows-1252','iso-8859-15','macintosh'], fr:['windows-1252','iso-8859-15','macintosh'], de:['windows-1252','iso-8859-15','macintosh'], es:['windows-1252','iso-8859-15','macintosh'], vi:['windows-1258'] };
const docs: [string,string,string][] = [];
docs.push(...JSON.parse(readFileSync('/tmp/reading/pages.json','utf8')));
for (const lang of ['de','es','vi']) {
  const by = new Map<string,string>();
  for (const l of readFileSync(`${root}retrieval/xquad-${lang}/docs.jsonl`,'utf8').trim().split('\n')) { const { id, title, text } = JSON.parse(l); const g = title || id; by.set(g, (by.get(g) ?? `<html><h1>${title}</h1>`) + `<p>${text}</p>\n`); docs.push([lang, `para ${id}`, text]); }
  for (const [g,t] of [...by]) docs.push([lang, 'page '+g, t.normalize('NFC')]);
}
const count: Record<string,[number,number]> = {};
for (const [lang,id,text] of docs) for (const cs of enc[lang]!) {
  const { known } = encodeText(text, cs); const { bytes } = encodeText(known, cs);
  if (bytes.every((b)=>b<0x80)) continue;
  const got = await decodeText(bytes, null);
  const ok = got.text.normalize('NFC')===known.normalize('NFC');
  const k = `${lang} ${id.split(' ')[0]} ${cs}`; count[k] ??= [0,0]; count[k]![1]++; if (ok) count[k]![0]++; else { let n=0; for (let i=0;i<known.length;i++) if (known[i]!==got.text[i]) n++; console.log(k, id.slice(0,30), got.charset, n+' wrong of '+[...known].filter((c)=>c>'\x7f').length, [...new Set([...known].filter((c)=>c>'\x7f'))].slice(0,20).join('')); }
}
console.table(Object.fromEntries(Object.entries(count).map(([k,[r,a]])=>[k,{right:r,all:a,share:(r/a).toFixed(3)}])));
