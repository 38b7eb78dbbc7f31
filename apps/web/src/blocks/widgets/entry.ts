/** What every widget takes that one value is entered in. */
export interface EntryProps<T> {
  /** Id of the element that names it. */
  labelledBy: string;
  describedBy?: string | undefined;
  invalid?: boolean;
  required?: boolean;
  disabled?: boolean;
  value: T;
  onChange: (value: T) => void;
}

/** The same for React Aria; what is refused is said by the contract, not by the browser. */
export const entryAria = ({
  labelledBy,
  describedBy,
  invalid = false,
  required = false,
  disabled = false,
}: Omit<EntryProps<unknown>, 'value' | 'onChange'>) => ({
  'aria-labelledby': labelledBy,
  ...(describedBy !== undefined && { 'aria-describedby': describedBy }),
  isInvalid: invalid,
  isRequired: required,
  isDisabled: disabled,
  validationBehavior: 'aria' as const,
});
