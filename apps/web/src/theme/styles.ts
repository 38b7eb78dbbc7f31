import './tokens.css';
import './base.css';
import './opening.css';
