interface ImportMetaEnv {
  /** Where the build has put the texts, and the names of their sets. */
  readonly TEXTS?: { readonly at: string; readonly sets: readonly string[] };
}
