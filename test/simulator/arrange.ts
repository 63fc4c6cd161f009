import type { Knobs, Member, Piece } from './bundle.ts';

type Arrange = NonNullable<Knobs['arrange']>;

/** Edits one member at its position. */
export function replace(name: string, edit: (member: Member) => Piece | readonly Piece[]): Arrange {
  return (head, files) =>
    [...head, ...files].flatMap((member) => (member.name === name ? edit(member) : member));
}

/** Removes one member. */
export function without(name: string): Arrange {
  return replace(name, () => []);
}

/** Appends entries after the last file. */
export function append(...pieces: readonly Piece[]): Arrange {
  return (head, files) => [...head, ...files, ...pieces];
}
