import type { Knobs, Member, Piece } from './bundle.ts';

type Arrange = NonNullable<Knobs['arrange']>;

/** Replaces one member, wherever it stands, by what the edit makes of it. */
export function replace(name: string, edit: (member: Member) => Piece | readonly Piece[]): Arrange {
  return (head, files) =>
    [...head, ...files].flatMap((member) => (member.name === name ? edit(member) : member));
}

/** Leaves one member out. */
export function without(name: string): Arrange {
  return replace(name, () => []);
}

/** Lets pieces follow the last file. */
export function append(...pieces: readonly Piece[]): Arrange {
  return (head, files) => [...head, ...files, ...pieces];
}
