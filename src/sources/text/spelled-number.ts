const romanDigits = '1000m 900cm 500d 400cd 100c 90xc 50l 40xl 10x 9ix 5v 4iv 1i'.split(' ').map((digit) => {
  const value = Number.parseInt(digit, 10);
  return { value, letters: digit.slice(`${value}`.length) };
});

/** Writes a number in one of Word's number formats. Formats of other scripts are written with digits. */
export function spelledNumber(number: number, format: string): string {
  if (format === 'none' || format === 'bullet') return '';
  if (format === 'decimalZero') return String(number).padStart(2, '0');
  if (format.endsWith('Letter') && number >= 1 && number <= 780) {
    // After z comes aa, then bb.
    const letters = String.fromCodePoint(97 + ((number - 1) % 26)).repeat(Math.ceil(number / 26));
    return format.startsWith('upper') ? letters.toUpperCase() : letters;
  }
  if (format.endsWith('Roman') && number >= 1 && number < 4_000) {
    let left = number;
    let text = '';
    for (const { value, letters } of romanDigits) for (; left >= value; left -= value) text += letters;
    return format.startsWith('upper') ? text.toUpperCase() : text;
  }
  return String(number);
}
