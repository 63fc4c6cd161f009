import { type Member, mtime } from '../simulator/bundle.ts';
import { Draft } from './draft.ts';

/** A bundle on which the verifier and the bootstrap once disagreed. */
export interface Regression {
  readonly name: string;
  /** The verdict of the verifier. */
  readonly accepted: boolean;
  readonly draft: () => Draft;
}

function drafted(edit: (draft: Draft) => void): () => Draft {
  return () => {
    const draft = new Draft();
    edit(draft);
    return draft;
  };
}

const at = (member: Member, time: number): Member => ({
  ...member,
  header: { ...member.header, mtime: time },
});
const from1970 = '1970-01-01T00:00:00Z';

/** Every fixed difference, by name. */
export const regressions: readonly Regression[] = [
  {
    name: 'every member has a time that is not that of the release',
    accepted: false,
    draft: drafted((draft) => draft.editMembers((member) => at(member, mtime + 1))),
  },
  {
    name: 'a release of 1970 whose evidence has other times',
    accepted: false,
    draft: drafted((draft) => {
      draft.ofRelease.push((release) => void Object.assign(release, { created: from1970 }));
      const evidence = ['release.sigstore.json', 'SHA256SUMS'];
      draft.editMembers((member) => at(member, evidence.includes(member.name) ? mtime : 0));
    }),
  },
  {
    name: 'the release and all members are from 1970',
    accepted: true,
    draft: drafted((draft) => {
      draft.ofRelease.push((release) => void Object.assign(release, { created: from1970 }));
      draft.editMembers((member) => at(member, 0));
    }),
  },
  {
    name: 'a file has the name of the unpacked Node',
    accepted: false,
    draft: drafted((draft) => {
      draft.files.push({ path: 'runtime/node', content: Buffer.from('another\n') });
    }),
  },
];
