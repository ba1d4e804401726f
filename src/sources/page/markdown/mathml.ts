import type { DomNode } from '../html/dom-node.ts';

/** Formulas that are nested deeper, or become longer, keep the text of their symbols. */
const maxDepth = 60;
const maxLength = 5_000;

/** Alternating words: a symbol, and its replacement. */
function pairsOf(text: string): (readonly [string, string])[] {
  const words = text.split(' ');
  return words.flatMap((word, i) => (i % 2 === 0 ? [[word, words[i + 1] ?? ''] as const] : []));
}

const symbols: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    pairsOf(
      'α alpha β beta γ gamma δ delta ε epsilon ϵ epsilon ζ zeta η eta θ theta ι iota κ kappa λ lambda μ mu ν nu ξ xi π pi ρ rho σ sigma τ tau ' +
        'υ upsilon φ phi ϕ phi χ chi ψ psi ω omega Γ Gamma Δ Delta Θ Theta Λ Lambda Ξ Xi Π Pi Σ Sigma Φ Phi Ψ Psi Ω Omega ∑ sum ∏ prod ∫ int ∮ oint ' +
        '∂ partial ∇ nabla ∞ infty ± pm ∓ mp × times ÷ div · cdot ⋅ cdot ∗ ast ≤ le ≥ ge ≠ ne ≈ approx ≡ equiv ∼ sim ≪ ll ≫ gg ∝ propto ∈ in ∉ notin ' +
        '⊂ subset ⊆ subseteq ⊃ supset ∪ cup ∩ cap ∅ emptyset ∀ forall ∃ exists ¬ neg ∧ wedge ∨ vee → to ← leftarrow ↦ mapsto ⇒ Rightarrow ⇔ Leftrightarrow ' +
        '↔ leftrightarrow … ldots ⋯ cdots ⋮ vdots ⊕ oplus ⊗ otimes ⊥ perp ∥ parallel ∠ angle ′ prime ℏ hbar ℓ ell ⟨ langle ⟩ rangle',
    ).map(([sign, name]) => [sign, `\\${name}`]),
  ),
  ...Object.fromEntries([...'{}%#&_'].map((sign) => [sign, `\\${sign}`])),
  // Invisible operators: application, multiplication, separation.
  ...Object.fromEntries([...'\u2061\u2062\u2063'].map((sign) => [sign, ''])),
  '−': '-',
  '\u00a0': ' ',
};
const functions = new Set(
  'arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lg lim liminf limsup ln log max min Pr sec sin sinh sup tan tanh'.split(
    ' ',
  ),
);
const accents: Readonly<Record<string, string>> = Object.fromEntries(
  pairsOf('^ hat ¯ bar ‾ overline → vec ~ tilde ˜ tilde . dot ˙ dot ¨ ddot ⏞ overbrace'),
);

/** MathJax: a sign of a symbol, and elements that are named otherwise than in MathML. */
const glyph = /^MJX-(?:C|STRETCHY-[VH])$/i;
const renamed: Readonly<Record<string, string>> = { 'mjx-mtable': 'mrow', 'mjx-itable': 'mtable' };

/** The formula of a `<math>` element as LaTeX; null if it is too large to convert. */
export function latexOf(math: DomNode): string | null {
  let left = maxLength;
  const write = (node: DomNode, depth: number): string => {
    if (depth > maxDepth || left < 0) throw tooLarge;
    if (node.nodeType === 3) return '';
    const parts: DomNode[] = [];
    for (let child = node.firstChild; child !== null; child = child.nextSibling)
      if (child.nodeType === 1 && !glyph.test(child.nodeName)) parts.push(child);
    const part = (at: number): string => (parts[at] === undefined ? '' : write(parts[at], depth + 1));
    const group = (at: number): string => `{${part(at)}}`;
    const all = (): string => joined(parts.map((one) => write(one, depth + 1)));
    const written = node.nodeName.toLowerCase();
    const name = renamed[written] ?? written.replace(/^(?:\w+:|mjx-)/, '');
    // Only the innermost elements have text.
    const text = parts.length === 0 ? (node.textContent ?? '').trim() : '';
    left -= text.length + 4;
    switch (name) {
      case 'mi':
        return functions.has(text)
          ? `\\${text}`
          : [...text].length > 1
            ? String.raw`\mathrm{${spelled(text)}}`
            : spelled(text);
      case 'mn':
      case 'mo':
        return spelled(text);
      case 'mtext':
      case 'ms':
        return text === '' ? ' ' : String.raw`\text{${text.replaceAll(/[\\{}$]/g, '')}}`;
      case 'mspace':
        return ' ';
      case 'mfrac':
        // `joined` takes the brackets around it away: they are part of the command.
        if (/^0\D{0,3}$/.test(node.getAttribute('linethickness') ?? ''))
          return String.raw`\binom${group(0)}${group(1)}`;
        return String.raw`\frac${group(0)}${group(1)}`;
      case 'msqrt':
        return String.raw`\sqrt{${all()}}`;
      case 'mroot':
        return String.raw`\sqrt[${part(1)}]${group(0)}`;
      case 'msup':
        return `${base(part(0))}^${group(1)}`;
      case 'msub':
        return `${base(part(0))}_${group(1)}`;
      case 'msubsup':
      case 'munderover':
        return `${base(part(0))}_${group(1)}^${group(2)}`;
      case 'munder':
        return `${base(part(0))}_${group(1)}`;
      case 'mover': {
        const accent = accents[(parts[1]?.textContent ?? '').trim()];
        return accent === undefined ? `${base(part(0))}^${group(1)}` : `\\${accent}${group(0)}`;
      }
      case 'mfenced': {
        const mark = (attribute: string, usual: string): string => spelled(node.getAttribute(attribute) ?? usual);
        return `${mark('open', '(')}${parts.map((one) => write(one, depth + 1)).join(', ')}${mark('close', ')')}`;
      }
      case 'mtable':
        return String.raw`\begin{matrix}${parts.map((one) => write(one, depth + 1)).join(' \\\\ ')}\end{matrix}`;
      case 'mtr':
      case 'mlabeledtr':
        return parts.map((one) => write(one, depth + 1)).join(' & ');
      case 'semantics':
        return part(0);
      case 'annotation':
      case 'annotation-xml':
      case 'mphantom':
      case 'none':
        return '';
      default:
        return all();
    }
  };
  try {
    return write(math, 0).replaceAll(/ {2,}/g, ' ').trim();
  } catch (error) {
    if (error === tooLarge) return null;
    throw error;
  }
}

const tooLarge = new Error('the formula is too large to convert');

function spelled(text: string): string {
  return joined([...text].map((char) => symbols[char] ?? char));
}

/** A command needs a space before a letter that follows it. */
function joined(written: readonly string[]): string {
  const isBinomial = (at: number): boolean => written[at]?.startsWith(String.raw`\binom{`) === true;
  const parts = written.filter(
    (one, i) =>
      !(
        (one === '(' && written[i + 2] === ')' && isBinomial(i + 1)) ||
        (one === ')' && written[i - 2] === '(' && isBinomial(i - 1))
      ),
  );
  return parts.reduce(
    (all, one) => all + (/\\[a-z]+$/i.test(all.slice(-20)) && /^[a-z\d]/i.test(one) ? ' ' : '') + one,
    '',
  );
}

function base(text: string): string {
  return /^(?:.|\\[a-z]+)$/iu.test(text.slice(0, 30)) && text.length < 30 ? text : `{${text}}`;
}
