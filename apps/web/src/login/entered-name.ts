let enteredName = '';

/** The name that the next sign-in page begins with. */
export const rememberName = (name: string): void => {
  enteredName = name;
};

export const rememberedName = (): string => enteredName;
