import type { Report } from '../../../../builder/bundle/diff/report.ts';

/** A report with every kind of content. */
export const report: Report = {
  title: 'landfall 1.0.0 → 1.1.0 for amd64, thin',
  summary: ['An update moves 1.0 kB in 1 file.'],
  sections: [
    {
      title: 'components',
      rows: [
        {
          kind: 'changed',
          name: 'engine',
          fields: [
            { name: 'image', before: 'ollama/ollama:1', after: 'ollama/ollama:2' },
            { name: 'size', before: 'unresolved', after: '1.2 GB' },
          ],
        },
        { kind: 'added', name: 'ui', fields: [{ name: 'image', before: '', after: 'team/ui:1' }] },
      ],
    },
    {
      title: 'files',
      rows: [{ kind: 'removed', name: 'notes', fields: [{ name: '', before: '9 B', after: '' }] }],
    },
  ],
  notes: ['Signatures are not verified.'],
};

/** Puts a name into every text of a report that comes from a file. */
export function reportWith(name: string): Report {
  const field = { name: 'image', before: name, after: `${name}2` };
  return {
    ...report,
    title: name,
    sections: [{ title: 'components', rows: [{ kind: 'changed', name, fields: [field] }] }],
    notes: [name],
  };
}
