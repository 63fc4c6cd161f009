import { mtime } from '../../simulator/bundle.ts';
import type { Draft, Mutations } from '../draft.ts';

const oddTimes = [0, 1, mtime - 1, mtime + 1, 2 ** 31, 2 ** 32, 8 ** 11 - 1];

const oddInstants = [
  ...['1970-01-01T00:00:00Z', '1970-01-01T00:00:01Z', '2242-03-16T12:56:31Z'],
  ...['2242-03-16T12:56:32Z', '9999-12-31T23:59:59Z', '2026-11-01T00:00:00.000Z'],
  ...['2026-11-01T00:00:00+00:00', '2026-11-01T02:00:00+02:00', '2026-11-01T00:00Z'],
  ...['2026-11-01 00:00:00Z', '2026-11-01T00:00:00z', '2026-11-01', '2026-11-01T24:00:00Z'],
  ...['2026-10-32T00:00:00Z', '2026-02-29T00:00:00Z', '2024-02-29T00:00:00Z', '', 'now'],
  ...['0000-01-01T00:00:00Z', '0999-01-01T00:00:00Z', '-000001-01-01T00:00:00Z'],
];

function setTimes(draft: Draft, time: number): void {
  draft.editMembers((member) => ({ ...member, header: { ...member.header, mtime: time } }));
}

/** Mutations of the times of the release and of its members. */
export const timeMutations: Mutations = {
  'another time in every member': (draft, random) => setTimes(draft, random.pick(oddTimes)),
  'another time in the first member': (draft, random) => {
    const time = random.pick(oddTimes);
    draft.editMembers((member, index) =>
      index === 0 ? { ...member, header: { ...member.header, mtime: time } } : member,
    );
  },
  'another time in all but the first member': (draft, random) => {
    const [first, others] = [random.pick(oddTimes), random.pick(oddTimes)];
    draft.editMembers((member, index) => ({
      ...member,
      header: { ...member.header, mtime: index === 0 ? first : others },
    }));
  },
  'another time in the release': ({ ofRelease }, random) => {
    const created = random.pick(oddInstants);
    ofRelease.push((release) => {
      release.created = created;
    });
  },
  'another time in the release and in every member': (draft, random) => {
    const created = random.pick(oddInstants);
    draft.ofRelease.push((release) => {
      release.created = created;
    });
    const time = Date.parse(created) / 1000;
    if (Number.isSafeInteger(time) && time >= 0 && time < 8 ** 11) setTimes(draft, time);
  },
  'another expiry date': ({ ofRelease }, random) => {
    const expires = random.pick([...oddInstants, '2026-11-02T00:00:00Z']);
    ofRelease.push((release) => {
      release.expires = expires;
    });
  },
};
