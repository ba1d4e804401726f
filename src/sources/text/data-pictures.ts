/**
 * A picture in Markdown whose address is its data, or the definition of one. Descriptions and titles have at most 500
 * characters. The type tells data from a sentence: `[Q1]: Data: 40 % of users`.
 */
const dataPicture =
  /!\[[^\][\n]{0,500}\]\(\s{0,5}<?data:(?:[a-z]{1,20}\/[\w.+-]{1,100})?[;,][^()\s]*(?:\s{1,5}"[^"]{0,500}")?\s{0,5}\)|^[ \t]{0,20}\[[^\][\n]{0,500}\]:[ \t]{0,5}<?data:[a-z]{1,20}\/[\w.+-]{1,100}[;,][^\n]*/gim;

/**
 * Markdown without the pictures that it contains as data (`data:image/png;base64,…`): nobody reads their thousands of
 * letters, and they would be split into passages like words. Exports of Google Docs define them at the end.
 */
export function withoutDataPictures(markdown: string): string {
  return markdown.replaceAll(dataPicture, '');
}
