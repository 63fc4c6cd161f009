import { attestation } from '../../simulator/bundle.ts';
import { releaseKey, strangerKey } from '../../simulator/keys.ts';
import type { Draft, Mutations } from '../draft.ts';

const evidence = ['release.sigstore.json', 'SHA256SUMS', 'provenance.sigstore.json'];

function editContent(draft: Draft, name: string, edit: (content: Buffer) => Buffer): void {
  draft.editMembers((member) =>
    member.name === name ? { ...member, content: edit(member.content) } : member,
  );
}

/** Mutations of the evidence for other tools. */
export const evidenceMutations: Mutations = {
  'evidence with another byte': (draft, random) => {
    const [turn, byte] = [random.below(2 ** 30), random.below(256)];
    editContent(draft, random.pick(evidence), (content) => {
      const changed = Buffer.from(content);
      changed[turn % changed.length] = byte;
      return changed;
    });
  },
  'evidence that is empty, of maximum size or larger': (draft, random) => {
    const size = random.pick([0, 1, 4096, 4097, 2 ** 20, 2 ** 20 + 1]);
    editContent(draft, random.pick(evidence), () => Buffer.alloc(size, 'x'));
  },
  'removed evidence': (draft, random) => {
    const name = random.pick([...evidence, 'provenance.sigstore.json']);
    draft.editMembers((member) => (member.name === name ? [] : member));
  },
  'executable evidence': (draft, random) => {
    const name = random.pick(evidence);
    draft.editMembers((member) =>
      member.name === name
        ? { ...member, header: { ...member.header, mode: '0000755\0' } }
        : member,
    );
  },
  'a Sigstore bundle of another release': (draft) => {
    draft.sigstore = () => Buffer.from('{}\n');
  },
  'a provenance by an unknown key': (draft) => {
    draft.attest = (payload) => attestation(payload, strangerKey, releaseKey);
  },
};
