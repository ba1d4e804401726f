/** The upper halves of encodings with one byte for each character. The package declares no types for its tables. */
declare module 'iconv-lite/encodings/sbcs-data-generated.js' {
  const codePages: Readonly<Record<string, { readonly chars: string } | undefined>>;
  export default codePages;
}
