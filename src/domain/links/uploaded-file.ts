/*
 * A file that was uploaded has no address. The store knows it by one that no file of a machine has: a hash of its bytes, in
 * place of folders, and its name. So the same file sent twice is one item. Nobody is shown that address.
 */

const uploadAddress = /^file:\/\/\/[0-9a-f]{32}\/([^/?#]{1,2000})/;

/** @param hash of its bytes, in hexadecimal */
export function addressOfUpload(name: string, hash: string): string {
  return `file:///${hash.slice(0, 32)}/${encodeURIComponent(name)}`;
}

/** The name of an uploaded file, by its address or a link into it; null for every other address. */
export function uploadedFileName(address: string): string | null {
  const name = uploadAddress.exec(address)?.[1];
  if (name === undefined) return null;
  try {
    return decodeURIComponent(name);
  } catch {
    // An export from elsewhere may have another one.
    return name;
  }
}
