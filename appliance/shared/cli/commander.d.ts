// Only types: they give an action the options and arguments of the chain before it.
declare module 'commander' {
  export * from '@commander-js/extra-typings';
}
