/** The options of the command that a function defines, from its chain. */
export type OptionsOf<Definition extends (...args: never[]) => { opts(): unknown }> = ReturnType<
  ReturnType<Definition>['opts']
>;
