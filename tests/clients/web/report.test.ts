import { describe, expect, it } from 'vitest';
import { leftOut } from '../../../web/settings/report.ts';

describe('the import report on the page', () => {
  const report = [
    'file,line,outcome,reason,address,title,id',
    'a.html,3,taken,,https://example.com/1,One,c_1',
    '"a ""b"", c.html",4,skipped,"It is not an address, or none that can be saved.",javascript:1,"Two\r\nlines",',
    'a.html,5,failed,Too many tags.,https://example.com/3,,',
    '',
  ].join('\r\n');

  it('lists the entries that were not imported, with reasons', () => {
    expect(leftOut(report, 10)).toEqual({
      total: 2,
      rows: [
        {
          file: 'a "b", c.html',
          line: '4',
          reason: 'It is not an address, or none that can be saved.',
          what: 'Two\r\nlines',
        },
        { file: 'a.html', line: '5', reason: 'Too many tags.', what: 'https://example.com/3' },
      ],
    });
  });

  it('ends after the limit, and counts the others', () => {
    const { rows, total } = leftOut(report, 1);
    expect([rows.length, total]).toEqual([1, 2]);
  });

  it('ends where an unfinished report ends', () => {
    expect(leftOut(report.slice(0, report.indexOf('or none')), 10)).toEqual({ total: 0, rows: [] });
    expect(leftOut('', 10)).toEqual({ total: 0, rows: [] });
  });
});
